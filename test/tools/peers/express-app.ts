import express, { type Express, type Request, type RequestHandler } from 'express';
import { agreeTo, check, list, type PeerRequest, refused, revoke } from './operations.ts';

/** @param identify who calls; null refuses the request */
export function expressApp(identify: (request: Request) => Promise<string | null> | string | null): Express {
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  const answer =
    (work: (request: Request, asked: PeerRequest) => Promise<object>, isPublic = false): RequestHandler =>
    async (request, response) => {
      try {
        const userId = isPublic ? '' : await identify(request);
        if (userId === null) {
          response.status(401).json({ code: 'UNAUTHENTICATED' });
          return;
        }
        response.json(
          await work(request, {
            userId,
            query: request.query,
            body: request.body,
            acceptLanguage: request.headers['accept-language'],
            requestId: String(request.headers['x-request-id'] ?? 'none'),
          }),
        );
      } catch (error) {
        const { status, body } = refused(error);
        response.status(status).json(body);
      }
    };
  app.get(
    '/v1/users/agreements',
    answer((_, asked) => list(asked)),
  );
  app.post(
    '/v1/agreements/versions/:versionId/agree',
    answer(({ params }, asked) => agreeTo(String(params.versionId), asked)),
  );
  app.delete(
    '/v1/users/agreements/:agreementId/consent',
    answer(({ params }, asked) => revoke(String(params.agreementId), asked)),
  );
  app.get(
    '/v1/mobile/app-version/check',
    answer((_, asked) => check(asked), true),
  );
  return app;
}
