import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Sessions: {
    level: 'secret',
    holds:
      'user id, times of sign-in, renewal and end, app version, name of the device, Cognito’s refresh token sealed, hashes of ' +
      'the app’s refresh tokens',
    why: 'showing the devices that are signed in, and ending their sessions',
    howLong:
      'two weeks longer than a session lasts at most (sleepcare: 44 days from the sign-in; medinfo: 14 days and 12 hours), or until the erasure',
    readers: 'the user; operators, who cannot read the token',
    inGerman: {
      holds:
        'Nutzerkennung, Zeiten von Anmeldung, Erneuerung und Ende, App-Version, Name des Geräts, verschlüsselte Anmeldeschlüssel',
      why: 'angemeldete Geräte zeigen und abmelden',
      howLong: '44 Tage ab der Anmeldung, oder bis zur Löschung',
      readers: 'die Person selbst; der Betrieb, aber nicht den Anmeldeschlüssel',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: 'erase',
        inExport: { without: ['sealedToken', 'tokenHash', 'predecessors', 'expiresAt'] },
      },
    ],
  },
  EndedSessions: {
    level: 'personal',
    holds: 'user id, which of their sessions ended in the last minutes, and until when all of them did',
    why: 'an access token from before the end is refused at once; a sign-in that was under way at the end gets no tokens; a session from before the end proves nothing at a sign-in',
    howLong: '45 days after the last ending',
    readers: 'every function that a signed-in user calls; operators',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: {
          keep: 'the row has only random ids, and a token of the erased account must stay refused',
          until: '45 days',
        },
        inExport: false,
      },
    ],
  },
  SignIns: {
    level: 'personal',
    holds:
      'user id, times of sign-ins, the application, the network (the first 24 bits of an IPv4 address, 48 of an IPv6 address), whether the app proved an earlier session',
    why: 'seeing who came into an account, and when',
    howLong: '90 days from the sign-in, or until the erasure',
    readers: 'the user; administrators (`users:admin`); operators',
    inGerman: {
      holds:
        'Nutzerkennung, Zeiten der Anmeldungen, Anwendung, Netz (die ersten 24 Bit einer IPv4-Adresse, 48 einer IPv6-Adresse), ob die App eine frühere Anmeldung belegte',
      why: 'zeigen, wer sich wann im Konto angemeldet hat',
      howLong: '90 Tage ab der Anmeldung, oder bis zur Löschung',
      readers: 'die Person selbst; die Administration der Konten; der Betrieb',
    },
    people: [{ who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['expiresAt'] } }],
  },
  RecoveryCodes: {
    level: 'secret',
    holds: 'user id, hashes of the unused recovery codes, and when the codes were issued',
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
    level: 'personal',
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
