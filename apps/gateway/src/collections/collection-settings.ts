import { defaultSharedElements } from '#feed-xml';
import type { CollectionSettings } from '#ports';
import { invalidInput } from '../problems/problem-error.ts';
import type { SettingsBody } from './collection-body.ts';

/** What a new collection has. */
const defaultSettings: CollectionSettings = { windowItems: 1000, expiresAfter: 86_400, cleanUpHistory: false };

/** The settings after a change: what is absent stays, `null` takes away. Throws `ProblemError` 400 where two of them do not fit. */
export function changeSettings(changes: SettingsBody = {}, settings: CollectionSettings = defaultSettings): CollectionSettings {
  const { sharedElements } = changes;
  const changed = { ...settings };
  Object.assign(changed, changes, sharedElements && { sharedElements: { ...defaultSharedElements, ...settings.sharedElements, ...sharedElements } });
  for (const [name, value] of Object.entries(changes)) if (value === null) delete changed[name as keyof typeof changed];
  checkAges(changed);
  return changed;
}

/** Nothing may go before the time that `expires` promises to subscribers (FeedSync 4.2). */
function checkAges(settings: CollectionSettings): void {
  const faults = (['windowAge', 'tombstoneAge'] as const)
    .filter((age) => (settings[age] ?? Infinity) < settings.expiresAfter)
    .map((age) => ({ path: `body.settings.${age}`, message: `${age} is at least expiresAfter, ${settings.expiresAfter} seconds (FeedSync 4.2: until then subscribers can come back), not ${settings[age]}` }));
  if (faults.length > 0) throw invalidInput(faults);
}
