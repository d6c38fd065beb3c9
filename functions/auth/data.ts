import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Sessions: {
    holds: 'user id, times of sign-in and renewal, app version, name of the device, the refresh token sealed',
    why: 'showing the devices that are signed in, and ending their sessions',
    howLong: '31 days from the sign-in, or until the erasure',
    readers: 'the user; operators, who cannot read the token',
    inGerman: {
      holds:
        'Nutzerkennung, Zeiten von Anmeldung und Erneuerung, App-Version, Name des Geräts, ein verschlüsselter Anmeldeschlüssel',
      why: 'angemeldete Geräte zeigen und abmelden',
      howLong: '31 Tage ab der Anmeldung, oder bis zur Löschung',
      readers: 'die Person selbst; der Betrieb, aber nicht den Anmeldeschlüssel',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: 'erase',
        inExport: { without: ['sealedToken', 'siblings', 'expiresAt'] },
      },
    ],
  },
  KnownDevices: {
    holds: 'user id, keyed hashes of devices, and when each device last signed in',
    why: 'a mail when a new device signs in',
    howLong: 'a year from the last sign-in of the device, or until the erasure',
    readers: 'operators',
    inGerman: {
      holds: 'Nutzerkennung, verschlüsselte Kennzeichen von Geräten, letzte Anmeldung',
      why: 'eine Mail, wenn sich ein neues Gerät anmeldet',
      howLong: 'ein Jahr ab der letzten Anmeldung des Geräts, oder bis zur Löschung',
      readers: 'der Betrieb',
    },
    people: [
      { who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['deviceHash', 'expiresAt'] } },
    ],
  },
  RecoveryCodes: {
    holds: 'user id, keyed hashes of the unused recovery codes, and when the codes were issued',
    why: 'signing in after the user has lost the authenticator app',
    howLong: 'until the next codes are issued, or until the erasure',
    readers: 'operators, who cannot read the codes',
    inGerman: {
      holds:
        'Nutzerkennung, verschlüsselte Kennzeichen der verbleibenden Wiederherstellungscodes, Zeit der Ausstellung',
      why: 'die Anmeldung, wenn die Authenticator-App verloren ist',
      howLong: 'bis zur nächsten Ausstellung, oder bis zur Löschung',
      readers: 'der Betrieb, aber keinen Code',
    },
    people: [{ who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['hashes'] } }],
  },
  SignInTries: {
    holds: 'a keyed hash of account and IP address, how often the sign-in failed, and when it last failed',
    why: 'preventing people from guessing passwords',
    howLong: '15 minutes after the last failure; then deleted',
    readers: 'operators, who cannot read the account or the address',
    people: [
      {
        who: 'the user',
        found: { described: 'the keyed hash of account and IP address, which no table lists' },
        onErasure: { keep: 'nobody can read the account or the address from the hash', until: '15 minutes' },
        inExport: false,
      },
    ],
  },
};
