import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression of the product, by a literal or by `new RegExp`. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** The file and the line where it begins. */
  readonly place: string;
}

/** Stands in an expression for a part that is known only when the product runs. */
const unknownPart = 'x';

/** Returns every regular expression in the source of the product, without its tests. */
export function productExpressions(): Expression[] {
  const paths = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return paths
    .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|\/__fixtures__\//.test(path))
    .flatMap((path) => findExpressions(path, readFileSync(path, 'utf8')));
}

/** Returns every regular expression in a source text. */
export function findExpressions(path: string, text: string): Expression[] {
  if (!/\/.*\/|\bRegExp\b/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: Expression[] = [];
  const add = (node: ts.Node, source: string, flags: string): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ source, flags, place: `${path}:${line + 1}` });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    if (ts.isRegularExpressionLiteral(node)) add(node, ...partsOf(node));
    if (isConstruction(node)) {
      const [source, flags] = node.arguments ?? [];
      add(node, valueOf(source, constants), flags === undefined ? '' : valueOf(flags, constants));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isConstruction(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

function partsOf({ text }: ts.RegularExpressionLiteral): [source: string, flags: string] {
  const end = text.lastIndexOf('/');
  return [text.slice(1, end), text.slice(end + 1)];
}

/** The text of an expression that is made of literals and of constants of the same file. */
function valueOf(node: ts.Expression | undefined, constants: ReadonlyMap<string, ts.Expression>): string {
  if (node === undefined) return unknownPart;
  const value = (part: ts.Expression | undefined): string => valueOf(part, constants);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return partsOf(node)[0];
  if (ts.isIdentifier(node)) return value(constants.get(node.text));
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return value(node.expression);
  if (ts.isBinaryExpression(node)) return value(node.left) + value(node.right);
  const isRaw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw';
  const template = isRaw ? node.template : node;
  const textOf = (part: ts.TemplateLiteralLikeNode): string => (isRaw ? (part.rawText ?? '') : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return textOf(template);
  if (!ts.isTemplateExpression(template)) return unknownPart;
  const spans = template.templateSpans.map(({ expression, literal }) => value(expression) + textOf(literal));
  return textOf(template.head) + spans.join('');
}
