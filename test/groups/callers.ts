import { admins, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'POST /groups': admins,
  'GET /groups': admins,
  'GET /groups/{groupId}': admins,
  'PUT /groups/{groupId}': admins,
  'DELETE /groups/{groupId}': admins,
  'PUT /groups/{groupId}/members/{userId}': admins,
  'DELETE /groups/{groupId}/members/{userId}': admins,
  'GET /groups/{groupId}/members': admins,
  'GET /users/{userId}/groups': admins,
  'POST /groups/{groupId}/messages': admins,
  'GET /groups/{groupId}/messages': admins,
  'GET /groups/{groupId}/messages/{broadcastId}': admins,
};

export const holders: Holders = {
  'groups:admin': admins,
};
