import { type Callers, type Holders, patients, staff } from '../callers.ts';

export const callers: Callers = {
  'GET /agent-board/messages': patients,
  'GET /agent-board/messages/{messageId}': patients,
  'DELETE /agent-board/messages/{messageId}': patients,
  'POST /agent-board/messages/read': patients,
  'POST /agent-board/messages/{messageId}/read': patients,
  'POST /users/{userId}/agent-board/messages': staff,
};

export const holders: Holders = {
  'agent-board:read-own': patients,
  'agent-board:write-own': patients,
  'agent-board:write': staff,
};
