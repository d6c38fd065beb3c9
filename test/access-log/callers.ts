import { type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = { 'GET /users/me/access-log': patients };

export const holders: Holders = { 'access-log:read-own': patients };
