import ts from 'typescript';

/** Where a statement or an expression begins, line and column counted from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** Whether it runs when a function is called, and not only when the module is loaded. */
  readonly isInFunction: boolean;
}

/** One fault that can be planted in a source file. */
export interface Mutant {
  /** The characters of the file that the replacement takes the place of. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Counted from 1. */
  readonly line: number;
  /** What must run for a test to notice. */
  readonly place: Place;
  /** What is changed, such as `<` → `<=`. */
  readonly change: string;
}

interface Edit {
  readonly node: ts.Node;
  readonly replacement: string;
  readonly change: string;
}

const operators: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

const patterns = [
  changedOperator,
  zeroForOne,
  negationRemoved,
  changedBoolean,
  nothingReturned,
  guardRemoved,
];

/** Finds every fault that the patterns can plant in a TypeScript file, in the order of their positions. */
export function findMutants(text: string): Mutant[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isDecorator(node) || ts.isImportDeclaration(node)) return;
    for (const pattern of patterns) {
      const edit = pattern(node);
      if (edit !== undefined) mutants.push(mutantOf(source, edit));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** The file with the fault in it. */
export function plant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function mutantOf(source: ts.SourceFile, { node, replacement, change }: Edit): Mutant {
  const start = node.getStart();
  const { line } = source.getLineAndCharacterOfPosition(start);
  const whole = ts.isBinaryExpression(node.parent) ? node.parent : node;
  const { character, ...begin } = source.getLineAndCharacterOfPosition(whole.getStart());
  const place = { line: begin.line, column: character, isInFunction: isInFunction(node) };
  return { start, end: node.getEnd(), replacement, line: line + 1, place, change };
}

function isInFunction(node: ts.Node): boolean {
  const holder = ts.findAncestor(node, (each) => ts.isFunctionLike(each) || ts.isPropertyDeclaration(each));
  if (holder === undefined || !ts.isPropertyDeclaration(holder)) return holder !== undefined;
  return holder.modifiers?.every(({ kind }) => kind !== ts.SyntaxKind.StaticKeyword) ?? true;
}

function changedOperator(node: ts.Node): Edit | undefined {
  if (!ts.isBinaryExpression(node)) return undefined;
  const replacement = operators.get(node.operatorToken.kind);
  if (replacement === undefined) return undefined;
  const { operatorToken } = node;
  return { node: operatorToken, replacement, change: `${operatorToken.getText()} → ${replacement}` };
}

function zeroForOne(node: ts.Node): Edit | undefined {
  if (!ts.isBinaryExpression(node) || !ts.isNumericLiteral(node.right) || node.right.text !== '1')
    return undefined;
  const operator = node.operatorToken.getText();
  if (!['+', '-', '+=', '-='].includes(operator)) return undefined;
  return { node: node.right, replacement: '0', change: `${operator} 1 → ${operator} 0` };
}

function negationRemoved(node: ts.Node): Edit | undefined {
  if (!ts.isPrefixUnaryExpression(node) || node.operator !== ts.SyntaxKind.ExclamationToken) return undefined;
  return { node, replacement: node.operand.getText(), change: 'no !' };
}

function changedBoolean(node: ts.Node): Edit | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { node, replacement: 'false', change: 'true → false' };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { node, replacement: 'true', change: 'false → true' };
  return undefined;
}

function nothingReturned(node: ts.Node): Edit | undefined {
  if (!ts.isReturnStatement(node) || node.expression === undefined) return undefined;
  const value = node.expression.getText();
  // `changedBoolean` makes `true` of `false`, which undefined is as good as.
  if (['undefined', 'false'].includes(value) || value.startsWith('void ')) return undefined;
  return { node: node.expression, replacement: 'undefined', change: 'return undefined' };
}

function guardRemoved(node: ts.Node): Edit | undefined {
  if (!ts.isIfStatement(node) || node.elseStatement !== undefined) return undefined;
  const { thenStatement } = node;
  const leaves = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  if (leaves === undefined || !isJump(leaves)) return undefined;
  return { node, replacement: ';', change: `no if (${node.expression.getText()})` };
}

function isJump(node: ts.Node): boolean {
  return (
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isContinueStatement(node) ||
    ts.isBreakStatement(node)
  );
}
