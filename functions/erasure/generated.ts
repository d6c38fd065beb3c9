// Generated from functions/*/data.ts by npm run generate; do not edit.

import type { ErasedTable } from '../../lib/contract/personal-data.ts';
import type { Uses } from '../../lib/contract/uses.ts';

const Users = {"name":"Users","partitionKey":"userId"} as const;
const Devices = {"name":"Devices","partitionKey":"userId","sortKey":"deviceId"} as const;
const DeviceTokens = {"name":"DeviceTokens","partitionKey":"tokenKey"} as const;
const QuestionnaireFlags = {"name":"QuestionnaireFlags","partitionKey":"part","sortKey":"name"} as const;
const AgentBoardMessages = {"name":"AgentBoardMessages","partitionKey":"userId","sortKey":"messageId"} as const;
const QuestionnaireResponses = {"name":"QuestionnaireResponses","partitionKey":"userId","sortKey":"part"} as const;

export const erasedTables: readonly ErasedTable[] = [
  { table: AgentBoardMessages },
  { table: QuestionnaireResponses },
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
  { table: AgentBoardMessages, access: 'remove' },
  { table: QuestionnaireResponses, access: 'remove' },
] as const satisfies Uses;
