import { listSettings } from './configuration.ts';
import type { Setting } from './configuration.ts';
import { fetcherSettings } from './fetcher-settings.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { mergerSettings } from './merger-settings.ts';
import { publisherSettings } from './publisher-settings.ts';

export * from './fetcher-settings.ts';
export * from './gateway-settings.ts';
export * from './merger-settings.ts';
export * from './publisher-settings.ts';

/** The settings of each service, under its name. */
const settingsOf = {
  fetcher: fetcherSettings,
  merger: mergerSettings,
  publisher: publisherSettings,
  gateway: gatewaySettings,
};

/** A setting, and the services that read it. */
export interface ServiceSetting extends Setting {
  readonly services: readonly string[];
}

/** Every setting of every service, each once: those that all read, then those of each service. */
export function listServiceSettings(): ServiceSetting[] {
  const settings = new Map<string, ServiceSetting>();
  for (const [service, schema] of Object.entries(settingsOf))
    for (const setting of listSettings(schema))
      settings.set(setting.name, {
        ...setting,
        services: [...(settings.get(setting.name)?.services ?? []), service],
      });
  return [...settings.values()];
}
