import { goProgram, outcome } from '#programs';

// `npm run alerts` has promtool check the alert rules, and when each of them comes.
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const promtool = await goProgram('promtool', say);
const checks = [
  ['check', 'rules', '--lint-fatal', 'deploy/chart/files/alerts.yaml'],
  ['test', 'rules', 'test/monitoring/alerts.promtool.yaml'],
];
for (const check of checks) {
  const { code, stdout, stderr } = await outcome(promtool, check);
  say(`${stdout}${stderr}`.trim());
  if (code !== 0) process.exitCode = 1;
}
