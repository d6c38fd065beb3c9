import { type Callers, type Holders, patients } from '../callers.ts';

const physicians = { medinfo: ['physician'] };

export const callers: Callers = {
  'PUT /sleep/entries/{date}': patients,
  'GET /sleep/entries/{date}': patients,
  'DELETE /sleep/entries/{date}': patients,
  'GET /sleep/entries': patients,
  'POST /sleep/episodes': patients,
  'GET /sleep/summary': patients,
  'GET /sleep/window': patients,
  'POST /sleep/window/release': patients,
  'GET /users/{userId}/sleep/entries': physicians,
  'GET /users/{userId}/sleep/summary': physicians,
  'GET /users/{userId}/sleep/window': physicians,
  'GET /users/{userId}/sleep/report': physicians,
  'POST /users/{userId}/sleep/window/release': physicians,
  'POST /users/{userId}/sleep/window/withdraw': physicians,
};

export const holders: Holders = {
  'sleep:read-own': patients,
  'sleep:write-own': patients,
  'sleep:release': physicians,
};
