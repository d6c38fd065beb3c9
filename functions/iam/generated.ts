// Generated from functions/*/permissions.ts by npm run generate; do not edit.

import type { Permission } from '../../lib/contract/permissions.ts';

export const permissions = [
  {"name":"access-log:read-own","roles":[],"everyoneIn":["sleepcare"]},
  {"name":"agent-board:read-own","roles":[],"everyoneIn":["sleepcare"]},
  {"name":"agent-board:write","roles":["physician","agent","admin"]},
  {"name":"agent-board:write-own","roles":[],"everyoneIn":["sleepcare"]},
  {"name":"agreements:admin","roles":["admin"]},
  {"name":"app-version:admin","roles":["admin"]},
  {"name":"audit:read","roles":["admin"]},
  {"name":"consents:read","roles":["integration"],"metered":true},
  {"name":"consents:read-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"consents:write-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"devices:read-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"devices:write-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"patients:read","roles":["physician"]},
  {"name":"permissions:read-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"profile:read-own","roles":[],"everyoneIn":["sleepcare","medinfo"]},
  {"name":"profile:write-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"push:test","roles":["developer"],"metered":true},
  {"name":"sleep:read-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"sleep:write-own","everyoneIn":["sleepcare"],"roles":["physician","agent","admin","researcher","clinical-safety","developer"]},
  {"name":"support:write","roles":["agent","admin"]},
  {"name":"time-machine:use","roles":["developer"],"metered":true},
  {"name":"users:admin","roles":["admin"]},
  {"name":"users:read","roles":["agent","admin"]},
] as const satisfies readonly Permission[];
