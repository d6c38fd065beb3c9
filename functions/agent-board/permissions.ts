import { permission } from '../../lib/contract/permissions.ts';

export const readOwnBoard = permission('agent-board:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnBoard = permission('agent-board:write-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeToBoards = permission('agent-board:write', { roles: ['physician', 'agent', 'admin'] });
