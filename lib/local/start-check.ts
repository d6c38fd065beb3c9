import { assertPortFree } from './port.ts';

type Wanted = { readonly asDeployed: boolean; readonly watch: boolean; readonly port: number; readonly host: string };

/** What would end a start only after seconds of work. @throws PortTaken, or an Error in one sentence */
export async function assertCanStart({ asDeployed, watch, port, host }: Wanted): Promise<void> {
  if (asDeployed && watch) throw new Error('what follows changes is never what is deployed: leave one of the two out');
  if (port !== 0) await assertPortFree(port, host);
}
