import { type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = { 'GET /users/me/fhir': patients };

export const holders: Holders = { 'fhir:read-own': patients };
