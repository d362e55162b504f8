import { commandDemand, commandSchemas } from '#contracts';
import type { CommandName, ParsedCommand } from '#contracts';
import { collectionKey } from '#core';
import { checkPermission, permissionOf } from '../access/check-demand.ts';
import { senderOf } from '../access/command-sender.ts';
import type { Principal } from '../access/principal.ts';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { edit } from '../items/edit.ts';
import type { EditRequest } from '../items/edit.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { checkInput } from '../requests/check-input.ts';
import { expectedRevision } from '../requests/preconditions.ts';
import { refresh, unsubscribe } from '../subscriptions/change-subscription.ts';
import { subscribe } from '../subscriptions/subscribe.ts';

/** What watches a command while it is run. */
interface CommandWatch {
  /** Called once it is known whose command it is. */
  recognized(command: ParsedCommand, principal: Principal): void;
  /** Called before a permitted command is run, which does not happen if this throws. */
  begin(): Promise<void>;
}

/**
 * Does what a command says, as the HTTP interface would. Throws `ProblemError` 400 for data that breaks its
 * schema, and what the HTTP interface would throw.
 * @param sender whose command it is now; by default whoever its key says
 * @param watch whom to tell of it
 */
export async function runCommand(
  ports: GatewayPorts,
  name: string,
  data: unknown,
  sender?: Principal,
  watch?: CommandWatch,
): Promise<void> {
  if (!Object.hasOwn(commandSchemas, name))
    throw new ProblemError(
      400,
      'unknown-command',
      `There is no command "${name}"; there are ${Object.keys(commandSchemas).join(', ')}.`,
    );
  const command = {
    name,
    data: checkInput(commandSchemas[name as CommandName], 'data', data),
  } as ParsedCommand;
  const { authentication, configuration, suspended } = ports;
  const principal = sender ?? (await senderOf(authentication, configuration, command.data.key));
  watch?.recognized(command, principal);
  await suspended.check(principal, command.data.collection);
  checkPermission(principal, permissionOf(commandDemand(command).needs) ?? 'write', {
    scope: command.data.collection,
  });
  await watch?.begin();
  const key = collectionKey(command.data.collection);
  switch (command.name) {
    case 'subscribe':
      await subscribe(ports, key, command.data);
      return;
    case 'unsubscribe':
      return unsubscribe(ports, key, command.data.subscription);
    case 'refresh':
      await refresh(ports, key, command.data.subscription);
      return;
    case 'edit': {
      const collection = await findCollection(ports, key);
      await edit(
        ports,
        collection,
        editRequest(command.data),
        expectedRevision(ifMatchField(command.data.ifMatch)),
      );
    }
  }
}

/** The `ifMatch` of a command as the header field that says the same. */
function ifMatchField(ifMatch: string | number | undefined): string | undefined {
  const text = ifMatch?.toString().trim();
  return text === undefined || !/^[0-9]/.test(text) ? text : `"${text}"`;
}

function editRequest({
  action,
  id,
  item,
  resolution,
}: Extract<ParsedCommand, { name: 'edit' }>['data']): EditRequest {
  if (action === 'create') return { action, body: id === undefined ? item : { ...item, id } };
  if (id === undefined) throw invalidInput([{ path: 'data.id', message: `needed for the action ${action}` }]);
  return { action, id, body: action === 'resolve' ? resolution : item };
}
