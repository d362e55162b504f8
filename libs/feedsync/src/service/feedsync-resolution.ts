import { createHash } from 'node:crypto';
import { cleanUpHistory } from '../engine/history.ts';
import { latest, preferEndpoint, resolveByPolicy } from '../engine/policy.ts';
import type { Choice, Policy } from '../engine/policy.ts';
import { boundedMessage, payloadFromFields } from '#xml';
import type { ItemFields, Payload } from '#xml';
import { nameOf } from '#core';
import type { Collection, ResolutionPolicy } from '#core';
import type { FeedSyncContent } from './feedsync-content.ts';
import { versionJson } from './feedsync-json.ts';
import type { Resolved, ResolutionModule, ResolutionModules } from '#protocol';

/**
 * Resolves the conflicts of an item as its collection's settings say (FeedSync 3.4). Problems have the rules
 * `resolution-module-unknown` and `resolution-failed`.
 */
export function resolveConflicts(
  content: FeedSyncContent,
  collection: Collection,
  modules: ResolutionModules,
): Resolved<FeedSyncContent> {
  const { resolution: setting, cleanUpHistory: isCleanedUp } = collection.settings;
  if (setting === undefined || content.conflicts.length === 0) return { content };
  const module = setting.policy === 'module' ? modules.get(setting.module) : undefined;
  if (setting.policy === 'module' && module === undefined)
    return {
      content,
      problem: problem(
        'resolution-module-unknown',
        `The collection "${nameOf(collection.key)}" asks for the module "${setting.module}", which ` +
          'MERGE_RESOLUTION_MODULES does not name.',
      ),
    };
  try {
    const resolved = resolveByPolicy(content, policyOf(setting, module, collection));
    if (resolved === content) return { content };
    const policy = setting.policy === 'module' ? `module ${setting.module}` : setting.policy;
    return {
      content: isCleanedUp ? { ...resolved, sync: cleanUpHistory(resolved.sync) } : resolved,
      resolution: { policy, conflicts: content.conflicts.length },
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      content,
      problem: problem('resolution-failed', `The conflicts of "${content.sync.id}" stay: ${message}`),
    };
  }
}

function problem(rule: string, message: string): Resolved<FeedSyncContent>['problem'] {
  return { rule, section: 'FeedSync 3.4', message: boundedMessage(message), severity: 'warning' };
}

function policyOf(
  setting: ResolutionPolicy,
  module: ResolutionModule | undefined,
  { format }: Collection,
): Policy<Payload> {
  const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
  if (setting.policy === 'latest') return { fingerprint: 'latest', choose: latest, digest };
  if (setting.policy === 'prefer-endpoint') {
    const { endpoint } = setting;
    const hash = createHash('sha256').update(endpoint).digest('hex').slice(0, 8);
    return { fingerprint: `prefer-endpoint-${hash}`, choose: preferEndpoint(endpoint), digest };
  }
  const choose: Choice<Payload> = (versions) => {
    const answer = module?.choose(versions.map(versionJson));
    if (typeof answer === 'number') return answer;
    if (isNewData(answer)) return { data: payloadFromFields(format, answer.data) };
    throw new TypeError(
      `The module "${setting.module}" must answer the place of a version, or { data } with fields that ` +
        'are texts; its answer is neither.',
    );
  };
  return { fingerprint: `module-${setting.module}-${module?.digest.slice(0, 8)}`, choose, digest };
}

function isNewData(answer: unknown): answer is { data: ItemFields } {
  if (
    typeof answer !== 'object' ||
    answer === null ||
    !('data' in answer) ||
    typeof answer.data !== 'object' ||
    answer.data === null
  )
    return false;
  const isText = (value: unknown): boolean => typeof value === 'string';
  return Object.entries(answer.data).every(
    ([name, value]: [string, unknown]) =>
      value === undefined ||
      (name === 'categories' ? Array.isArray(value) && value.every(isText) : isText(value)),
  );
}
