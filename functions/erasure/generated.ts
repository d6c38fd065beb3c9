// Generated from functions/*/data.ts by npm run generate; do not edit.

import type { ErasedTable } from '../../lib/contract/personal-data.ts';
import type { Uses } from '../../lib/contract/uses.ts';

const Users = {"name":"Users","partitionKey":"userId"} as const;
const Devices = {"name":"Devices","partitionKey":"userId","sortKey":"deviceId"} as const;
const DeviceTokens = {"name":"DeviceTokens","partitionKey":"tokenKey"} as const;
const QuestionnaireFlags = {"name":"QuestionnaireFlags","partitionKey":"part","sortKey":"name"} as const;
const CareRelations = {"name":"CareRelations","partitionKey":"userId","sortKey":"siteId"} as const;
const Staff = {"name":"Staff","partitionKey":"userId","sortKey":"part"} as const;
const AgentBoardMessages = {"name":"AgentBoardMessages","partitionKey":"userId","sortKey":"messageId"} as const;
const QuestionnaireResponses = {"name":"QuestionnaireResponses","partitionKey":"userId","sortKey":"part"} as const;
const SleepEntries = {"name":"SleepEntries","partitionKey":"userId","sortKey":"date"} as const;
const SleepEpisodes = {"name":"SleepEpisodes","partitionKey":"userId","sortKey":"episodeKey"} as const;
const SleepWindows = {"name":"SleepWindows","partitionKey":"userId","sortKey":"number"} as const;

export const erasedTables: readonly ErasedTable[] = [
  { table: CareRelations },
  { table: Staff },
  { table: AgentBoardMessages },
  { table: QuestionnaireResponses },
  { table: SleepEntries },
  { table: SleepEpisodes },
  { table: SleepWindows },
];

export const usesOfErasure = [
  { table: Users, access: 'read' },
  { table: Users, access: 'replace' },
  { table: Devices, access: 'read' },
  { table: Devices, access: 'replace' },
  { table: DeviceTokens, access: 'read' },
  { table: DeviceTokens, access: 'replace' },
  {"pushPlatforms":"erase"},
  { table: QuestionnaireFlags, access: 'read' },
  { table: QuestionnaireFlags, access: 'replace' },
  { table: CareRelations, access: 'remove' },
  { table: Staff, access: 'remove' },
  { table: AgentBoardMessages, access: 'remove' },
  { table: QuestionnaireResponses, access: 'remove' },
  { table: SleepEntries, access: 'remove' },
  { table: SleepEpisodes, access: 'remove' },
  { table: SleepWindows, access: 'remove' },
] as const satisfies Uses;
