import type { DataOf } from '../../lib/contract/personal-data.ts';
import { adjust, discard, get, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

/** In both tables and in the count of the members, in one transaction each. */
const withItsInverse = {
  becomes: 'erased',
  by: 'eraseMemberships',
  uses: [
    read(tables.UserGroups),
    discard(tables.UserGroups),
    discard(tables.GroupMembers),
    get(tables.Groups),
    adjust(tables.Groups),
  ],
} as const;

export const data: DataOf<typeof tables> = {
  Groups: {
    level: 'internal',
    holds:
      'name, kind and description of a group, how many members it has, ids of messages that are being posted. About no person',
    why: 'messages of staff to many people',
    howLong: 'until it is deleted',
    readers: '`groups:admin`; operators',
    people: [],
  },
  GroupMembers: {
    level: 'personal',
    holds: 'group, user id, since when',
    why: 'the list of a group’s members',
    howLong: 'until the removal from the group, or the erasure',
    readers: '`groups:admin`; operators',
    people: [
      {
        who: 'the member',
        found: { described: 'the group of each of the `UserGroups`' },
        onErasure: withItsInverse,
        inExport: false,
      },
    ],
  },
  UserGroups: {
    level: 'personal',
    holds: 'user id, group, since when',
    why: 'the groups of a user',
    howLong: 'until the removal from the group, or the erasure',
    readers: '`groups:admin`; operators',
    inGerman: {
      holds: 'Nutzerkennung, Gruppe, seit wann',
      why: 'Gruppen, denen das Team gemeinsam schreibt',
      howLong: 'bis zum Ende der Mitgliedschaft, oder bis zur Löschung',
      readers: 'die Verwaltung der Gruppen; der Betrieb',
    },
    people: [{ who: 'the member', found: 'partition', onErasure: withItsInverse, inExport: true }],
  },
  GroupMessages: {
    level: 'health',
    holds: 'title, text and purpose of a message to a group, the user id of the author',
    why: 'each member gets this message',
    howLong: 'a year',
    readers: '`groups:admin`; operators',
    people: [
      {
        who: 'the author',
        found: { described: '`authorId`, which is not part of any key' },
        onErasure: { keep: 'the author stays accountable; a random id names them', until: 'a year after the message' },
        inExport: false,
      },
    ],
  },
  GroupMessageParts: {
    level: 'personal',
    holds: 'the user ids of members who have not got the message yet; how many members got it',
    why: 'every member gets the message, also after a crash',
    howLong: 'each user id until the member has got the message, 30 days at most; the numbers for a year',
    readers: 'the function that posts; operators',
    people: [
      {
        who: 'the member',
        found: { described: '`userIds`, which is not part of any key' },
        onErasure: {
          keep: 'the list is processed within minutes; nothing is posted to a closed account',
          until: '30 days',
        },
        inExport: false,
      },
    ],
  },
  GroupMessageDeliveries: {
    level: 'personal',
    holds: "user id, which message to a group was posted to the user's agent board or was not for the user, and when",
    why: 'nobody gets the same message twice, and it is counted what became of it',
    howLong: '60 days, or until the erasure',
    readers: 'the function that posts; operators',
    inGerman: {
      holds: 'Nutzerkennung, welche Nachricht an eine Gruppe wann in der App ankam oder nicht zugestellt wurde',
      why: 'niemand soll dieselbe Nachricht zweimal bekommen, und es wird gezählt, was aus ihr wurde',
      howLong: '60 Tage, oder bis zur Löschung',
      readers: 'die Funktion, die Nachrichten zustellt; der Betrieb',
    },
    people: [{ who: 'the member', found: 'partition', onErasure: 'erase', inExport: { without: ['expiresAt'] } }],
  },
};
