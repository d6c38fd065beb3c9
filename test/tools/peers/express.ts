import type { Request } from 'express';
import serverless from 'serverless-http';
import { expressApp } from './express-app.ts';

/** The four endpoints as one Lambda with Express. */

type Called = Request & { userId?: string };

const app = expressApp((request: Called) => request.userId ?? null);

export const handler = serverless(app, {
  request: (request: Called, event: { requestContext: { authorizer?: { userId?: string } } }) => {
    request.userId = event.requestContext.authorizer?.userId;
  },
});
