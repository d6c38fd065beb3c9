import * as z from 'zod/mini';
import { AppVersion, oneLine, WantedLocale, wellFormed } from './fields.ts';

/** What an app states about its phone at its start, on the public routes that answer every app. */

export const platforms = ['ios', 'android'] as const;

export const DeviceId = z.string().check(z.trim(), z.minLength(1), z.maxLength(128), wellFormed, oneLine);

/** In any case. */
const StatedPlatform = z.optional(z.pipe(z.string().check(z.trim(), z.toLowerCase()), z.enum(platforms)));
const StatedVersion = z.optional(AppVersion);

/** The query of such a route. */
export const phoneQuery = {
  platform: StatedPlatform,
  appVersion: StatedVersion,
  locale: z.optional(WantedLocale),
  deviceId: z.optional(DeviceId),
  os: StatedPlatform,
  version: StatedVersion,
  app_version: StatedVersion,
};

/** Older names of the same parameters; shipped apps use them. */
export const phoneAliases = { os: 'platform', version: 'appVersion', app_version: 'appVersion' } as const;
