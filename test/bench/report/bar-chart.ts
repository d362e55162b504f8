import { create } from 'xmlbuilder2';
import type { RowResult } from '../summary.ts';

const width = 800;
const labels = 320;
const bar = 22;
const gap = 8;

/** A row as a picture (SVG): a bar for the rate of each contender, ours in blue. */
export function barChart({ operation, ours, references }: RowResult): string {
  const contenders = [ours, ...references];
  const most = Math.max(...contenders.map(({ rate }) => rate));
  const height = (contenders.length + 1) * (bar + gap) + gap;
  const svg = create({ version: '1.0' }).ele('http://www.w3.org/2000/svg', 'svg', {
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'sans-serif',
    'font-size': '14',
  });
  svg.ele('text', { x: gap, y: bar, 'font-weight': 'bold' }).txt(`${operation}: operations a second`);
  for (const [index, { name, rate }] of contenders.entries()) {
    const y = (index + 1) * (bar + gap);
    svg.ele('text', { x: gap, y: y + bar - 6 }).txt(name);
    const length = Math.max(1, (rate / most) * (width - labels - 100));
    const fill = index === 0 ? '#1f6feb' : '#9aa4b1';
    svg.ele('rect', { x: labels, y, width: length.toFixed(1), height: bar, fill });
    svg.ele('text', { x: (labels + length + gap).toFixed(1), y: y + bar - 6 }).txt(String(Math.round(rate)));
  }
  return svg.end({ prettyPrint: true });
}
