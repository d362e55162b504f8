import type { CaseOf } from './conformance-case.ts';

/** One case that was run; `failure` is absent if it passed. */
export interface Outcome {
  /** Of the specification, with its name: `SSE 2.3`. */
  readonly section: string;
  readonly conformanceCase: CaseOf<unknown>;
  readonly failure?: string;
}

const style = `
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:right}
td:first-child,th:first-child{text-align:left}
details{border-bottom:1px solid #ddd;padding:.2rem 0}summary{cursor:pointer}code,pre{font-size:13px}
pre{background:#f6f6f6;padding:.6rem;overflow:auto}
.passed{color:#17692b}.failed{color:#b3261e;font-weight:bold}
`;

/**
 * The report as one HTML page without scripts: a table of the sections, then every case with its title, text
 * and outcome.
 */
export function reportPage(title: string, outcomes: readonly Outcome[]): string {
  const sections = [...new Set(outcomes.map(({ section }) => section))];
  const outcomesIn = (section: string): Outcome[] =>
    outcomes.filter((outcome) => outcome.section === section);
  const rows = sections.map((section) =>
    row(`<a href="#${escape(section)}">${escape(section)}</a>`, outcomesIn(section)),
  );
  const bodies = sections.map(
    (section) =>
      `<h2 id="${escape(section)}">${escape(section)}</h2>\n${outcomesIn(section).map(caseBody).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(title)}</title><style>${style}</style></head>
<body>
<h1>${escape(title)}</h1>
<table><tr><th>Section</th><th>Cases</th><th>Passed</th></tr>
${rows.join('\n')}
${row('all', outcomes)}
</table>
${bodies.join('\n')}
</body></html>
`;
}

function row(name: string, outcomes: readonly Outcome[]): string {
  const passed = outcomes.filter(({ failure }) => failure === undefined).length;
  const result = passed === outcomes.length ? 'passed' : 'failed';
  return `<tr><td>${name}</td><td>${outcomes.length}</td><td class="${result}">${passed}</td></tr>`;
}

function caseBody({ conformanceCase: { name, title, text }, failure }: Outcome): string {
  const outcome =
    failure === undefined ? '<span class="passed">passed</span>' : '<span class="failed">failed</span>';
  const reason = failure === undefined ? '' : `<pre class="failed">${escape(failure)}</pre>`;
  return (
    `<details${failure === undefined ? '' : ' open'}><summary>${outcome} <code>${escape(name)}</code>` +
    ` ${escape(title)}</summary>${reason}<pre>${escape(text)}</pre></details>`
  );
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
