import { type Callers, patients, staff } from '../callers.ts';

export const callers: Callers = {
  'GET /agent-board/messages': patients,
  'POST /agent-board/messages/{messageId}/read': patients,
  'POST /users/{userId}/agent-board/messages': staff,
};
