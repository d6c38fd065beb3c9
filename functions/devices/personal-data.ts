import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, pushPlatforms, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

/** A device goes with its endpoint of SNS's and with what says whose its token is. */
const withItsEndpoint = {
  becomes: 'erased',
  by: 'eraseDevices',
  uses: [
    read(tables.Devices),
    discard(tables.Devices),
    read(tables.DeviceTokens),
    discard(tables.DeviceTokens),
    pushPlatforms('erase'),
  ],
} as const;

/** What SNS and the service know a token by. */
const internal = ['tokenHash', 'endpointArn', 'revision'];

export const data: DataOf<typeof tables> = {
  Devices: {
    level: 'personal',
    holds: "device id, platform, app version, locale, the push token's hash, the endpoint's ARN",
    why: 'pushes',
    howLong: 'until unregistered or erased',
    readers: 'the user; the senders of pushes and of mails; operators',
    inGerman: {
      holds:
        'Kennung des Geräts, Plattform, Version der App, Sprache; ein Prüfwert des Push-Tokens und die Adresse beim Push-Dienst, die nicht in der Kopie stehen',
      why: 'Mitteilungen auf das Telefon',
      howLong: 'bis zur Abmeldung des Geräts oder zur Löschung',
      readers: 'die Person selbst; wer die Mitteilungen sendet; der Betrieb',
    },
    people: [{ who: 'the user', found: 'partition', onErasure: withItsEndpoint, inExport: { without: internal } }],
  },
  DeviceTokens: {
    level: 'personal',
    holds: "hash of a push token, the endpoint's ARN, the user; a user's newest device",
    why: 'one device for each token',
    howLong: 'with the device',
    readers: 'registration; operators',
    people: [
      {
        who: 'the user',
        found: { described: 'token and endpoint of each of the `Devices`, and `newest#<userId>`' },
        onErasure: withItsEndpoint,
        inExport: false,
      },
    ],
  },
};
