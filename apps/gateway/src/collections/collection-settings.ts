import { defaultSharedElements } from '#xml';
import type { Collection, CollectionSettings } from '#core';
import { protocolOf, protocols } from '#protocols';
import { invalidInput } from '../problems/problem-error.ts';
import type { SettingsBody } from './collection-body.ts';

/** What a new collection has. */
const defaultSettings: CollectionSettings = {
  windowItems: 1000,
  expiresAfter: 86_400,
  cleanUpHistory: false,
  historyLimit: 50,
};

/** The settings that collections of every protocol have. */
const commonSettings = ['expiresAfter', 'tombstoneAge', 'includeItem'] as const;

/**
 * The settings after a change: what is absent stays, `null` takes away. Throws `ProblemError` 400 if one
 * belongs to another protocol, and if two of them do not fit.
 */
export function changeSettings(
  protocol: string,
  changes: SettingsBody = {},
  settings: CollectionSettings = defaultSettings,
): CollectionSettings {
  checkProtocol(protocol, changes);
  const { sharedElements } = changes;
  const changed = { ...settings };
  Object.assign(
    changed,
    changes,
    sharedElements && {
      sharedElements: { ...defaultSharedElements, ...settings.sharedElements, ...sharedElements },
    },
  );
  for (const [name, value] of Object.entries(changes))
    if (value === null) delete changed[name as keyof typeof changed];
  checkAges(changed);
  checkLimit(changed);
  return changed;
}

/** The settings that mean something in a collection: those which a client may send back. */
export function shownSettings({
  protocol,
  settings,
}: Pick<Collection, 'protocol' | 'settings'>): Partial<CollectionSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isSettingOf(protocol, name)));
}

function isSettingOf(protocol: string, name: string): boolean {
  return [...commonSettings, ...protocolOf({ protocol }).settings].some((setting) => setting === name);
}

function protocolsWith(name: string): string[] {
  return [...protocols.keys()].filter((protocol) => isSettingOf(protocol, name));
}

function checkProtocol(protocol: string, changes: SettingsBody): void {
  const faults = Object.keys(changes)
    .filter((name) => !isSettingOf(protocol, name))
    .map((name) => ({
      path: `body.settings.${name}`,
      message:
        `${name} is a setting of collections of the protocol ` +
        `${protocolsWith(name).join(' or ')}; ` +
        `this one has ${protocol}`,
    }));
  if (faults.length > 0) throw invalidInput(faults);
}

/** Nothing may go before the time that subscribers were promised (FeedSync 4.2). */
function checkAges(settings: CollectionSettings): void {
  const faults = (['windowAge', 'tombstoneAge'] as const)
    .filter((age) => (settings[age] ?? Infinity) < settings.expiresAfter)
    .map((age) => ({
      path: `body.settings.${age}`,
      message:
        `${age} is at least expiresAfter, ${settings.expiresAfter} seconds ` +
        `(FeedSync 4.2: until then subscribers can come back), not ${settings[age]}`,
    }));
  if (faults.length > 0) throw invalidInput(faults);
}

/** A window is large enough for what it is to hold. */
function checkLimit({ windowItems, windowLimit = Infinity }: CollectionSettings): void {
  if (windowLimit >= windowItems) return;
  const message = `windowLimit is at least windowItems, ${windowItems} items, not ${windowLimit}`;
  throw invalidInput([{ path: 'body.settings.windowLimit', message }]);
}
