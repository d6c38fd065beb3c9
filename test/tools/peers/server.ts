import type { AddressInfo } from 'node:net';
import { bearerIn, poolVerifier } from '../../../lib/runtime/pool-verifier.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { expressApp } from './express-app.ts';

/** The endpoints written by hand, listening on a port of their own; ends with its parent. */

const { USER_POOL_ID: userPoolId = '', CLIENT_ID: clientId = '' } = process.env;
const verify = poolVerifier({ userPoolId, clientIds: [clientId] }, lambda);

const app = expressApp(async ({ headers }) => {
  const token = bearerIn(headers.authorization);
  const claims = token ? await verify(token) : null;
  return claims && 'userId' in claims ? claims.userId : null;
});

const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
