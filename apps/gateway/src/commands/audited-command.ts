import type { ParsedCommand } from '#contracts';
import { actorOf } from '../access/principal.ts';
import type { Principal } from '../access/principal.ts';
import { ChangeInProgress, runChange } from '../audit/change-in-progress.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { problemOf } from '../problems/problem-of.ts';
import { runCommand } from './run-command.ts';

/** The status that the HTTP interface has for a command that is done. */
const done = 204;

/** Runs a command as `runCommand` does, and enters it in the audit log if changes are. */
export async function runAuditedCommand(ports: GatewayPorts, name: string, data: unknown): Promise<void> {
  const { audit } = ports;
  if (!audit.isOn) return runCommand(ports, name, data);
  const change = new ChangeInProgress({ via: 'queue' });
  change.operation = `command ${name.slice(0, 100)}`;
  const watch = {
    recognized: (command: ParsedCommand, principal: Principal) => describeCommand(change, command, principal),
    begin: () => audit.begin(change),
  };
  try {
    await runChange(change, () => runCommand(ports, name, data, undefined, watch));
  } catch (error) {
    const { status, rule } = problemOf(error);
    change.problem = rule;
    await audit.end(change, status);
    throw error;
  }
  // What is done is not done again because its entry is late.
  await audit.end(change, done);
}

function describeCommand(
  change: ChangeInProgress,
  { name, data }: ParsedCommand,
  principal: Principal,
): void {
  change.actor = actorOf(principal);
  change.collection = data.collection;
  change.isEdit = name === 'edit';
  if (name === 'edit') {
    change.operation = `command edit ${data.action}`;
    if (data.id !== undefined) change.subject = { kind: 'item', id: data.id };
  } else if (data.subscription !== undefined)
    change.subject = { kind: 'subscription', id: data.subscription };
}
