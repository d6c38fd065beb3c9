import { once } from 'node:events';
import { createServer } from 'node:net';

/** Another process listens on the port. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Checks the port before a start, which takes seconds. @throws PortTaken */
async function assertPortFree(port: number, host: string): Promise<void> {
  const server = createServer();
  await once(server.listen({ port, host, exclusive: true }), 'listening').catch((error: Error) => {
    throw portError(error, port, host);
  });
  await once(server.close(), 'close');
}

export function portError(error: Error, port: number, host: string): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new PortTaken(`port ${port} on ${host} is taken; stop what uses it or set PORT`);
  if (code === 'EACCES') return new PortTaken(`port ${port} on ${host} is not allowed to this user; set PORT`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new PortTaken(`${host} is no address of this machine`);
  return error;
}

type Wanted = { readonly asDeployed: boolean; readonly watch: boolean; readonly port: number; readonly host: string };

/** What would end a start only after seconds of work. @throws PortTaken, or an Error in one sentence */
export async function assertCanStart({ asDeployed, watch, port, host }: Wanted): Promise<void> {
  if (asDeployed && watch) throw new Error('what follows changes is never what is deployed: leave one of the two out');
  if (port !== 0) await assertPortFree(port, host);
}
