import type { ProductLocation } from '../contract/declarations.ts';
import type { SeededUser } from '../contract/product.ts';
import type { Environment } from '../contract/register.ts';
import { answerAccess } from './access.ts';
import { type Backend, type BackendOptions, startBackend } from './backend.ts';
import type { DataAccess } from './data-access.ts';
import { sendBusEvents } from './event-bus/events-route.ts';
import { type GatewayOptions, startGateway } from './gateway/gateway.ts';
import type { Issuer } from './identity/issuer.ts';
import { answerToken } from './identity/token-route.ts';
import { sendText } from './page/answers.ts';
import { guard } from './page/guard.ts';
import { openPage, type Page } from './page/page.ts';
import { assertCanStart, portError } from './port.ts';
import { type FindPushOwner, openPushLog, type PushLog, sendPushes } from './pushes.ts';
import { answerSchedule } from './schedules/schedule-route.ts';
import { answerMails } from './ses/mails-route.ts';
import { type Synthesis, synthesize } from './synth.ts';
import type { StageFiles } from './template/stage-model.ts';
import { type Watcher, watchSources } from './watch.ts';

/** A whole environment on this machine: the synthesized template, served over HTTP. */

export type StageOptions = BackendOptions & {
  readonly product: ProductLocation;
  readonly environment: Environment;
  /** Of that product and environment, where it has begun already. */
  readonly synthesis?: Promise<Synthesis>;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** False leaves the web ACL's rule out, for load tests. */
  readonly rateLimit?: boolean;
  /** Runs the very bundles that are deployed. Default: whether the variable AS_DEPLOYED is `true`, as `npm run test:deployed` sets it. */
  readonly asDeployed?: boolean;
  /** Follows changes of the sources. */
  readonly watch?: boolean;
  /** Gets sentences for the person who runs the stage: what was synthesized, replaced, or failed to compile. */
  readonly log?: (line: string) => void;
  readonly onRequest?: GatewayOptions['onRequest'];
  readonly now?: GatewayOptions['now'];
  /** Finds the owners of the phones that get pushes. Without it `/_local/pushes` names no owner. */
  readonly pushOwner?: (data: DataAccess) => FindPushOwner;
  /** Makes the person of a token known, where the roles in it count for nothing otherwise. */
  readonly admit?: (data: DataAccess) => (person: Admitted) => Promise<void>;
};

type Admitted = { readonly application: string; readonly userId: string; readonly roles: readonly string[] };

export type RunningStage = Omit<Backend, 'close'> & {
  /** `http://localhost:3000`: the origin of every API's address. */
  readonly url: string;
  readonly port: number;
  readonly synthesis: Synthesis;
  readonly clearAuthorizerCache: () => void;
  readonly close: () => Promise<void>;
};

/** @throws PortTaken, or an Error that says why there is no template, or why it cannot run here. */
export async function startStage(options: StageOptions): Promise<RunningStage> {
  const {
    product,
    users = [],
    environment,
    port = 0,
    host = '127.0.0.1',
    rateLimit = true,
    log = () => undefined,
  } = options;
  await using started = new AsyncDisposableStack();
  const { asDeployed = process.env.AS_DEPLOYED === 'true' } = options;
  await assertCanStart({ asDeployed, watch: options.watch ?? false, port, host });
  const synthesis = await (options.synthesis ?? synthesize(product, environment, { asDeployed }));
  const behind = await startBackend(synthesis, { ...options, inThread: !asDeployed });
  started.defer(behind.close);
  const backend = { ...behind, issuer: admitting(behind.issuer, options.admit?.(behind.data)) };
  const owner = options.pushOwner?.(backend.data) ?? (async () => null);
  const pushLog = backend.sns && openPushLog(backend.sns, owner);
  started.defer(() => pushLog?.close());
  const page = openPage({ model: backend.model, users, source: backend.sns, mails: backend.ses });
  started.defer(page.close);
  const gateway = await startGateway({
    model: backend.model,
    invoke: backend.invoke,
    port,
    host,
    rateLimit,
    local: localRoutes(backend, users, pushLog, page, host),
    onRequest: (entry) => {
      page.onRequest(entry);
      options.onRequest?.(entry);
    },
    now: options.now,
  }).catch((error: Error) => {
    throw portError(error, port, host);
  });
  started.defer(() => gateway.close());
  if (options.watch) {
    const adopt = async (files: StageFiles) => {
      const created = await backend.adopt(files);
      gateway.clearAuthorizerCache();
      return created;
    };
    const watcher: Watcher = await watchSources({
      product,
      environment,
      templateInputs: synthesis.inputs,
      backend: { ...backend, adopt },
      log,
    });
    started.defer(watcher.close);
  }
  const owned = started.move();
  const { url, port: bound, clearAuthorizerCache } = gateway;
  return { ...backend, url, port: bound, synthesis, clearAuthorizerCache, close: () => owned.disposeAsync() };
}

function admitting(issuer: Issuer, admit: (person: Admitted) => Promise<void> = async () => undefined): Issuer {
  return {
    ...issuer,
    token: async (request) => {
      const { application, user, roles } = request;
      const token = await issuer.token(request);
      await admit({ application, userId: await issuer.subject(application, user), roles });
      return token;
    },
  };
}

/** The routes below `/_local/`: no template has them, and no deployed stage answers them. */
function localRoutes(
  { issuer, data, model, events, runSchedule, ses }: Backend,
  users: readonly SeededUser[],
  pushLog: PushLog | null,
  page: Page,
  host: string,
): NonNullable<GatewayOptions['local']> {
  return async (request, response, url) => {
    if (!url.pathname.startsWith('/_local')) return false;
    if (!guard(request, response, host) || (await page.answer(request, response, url))) return true;
    const { pathname, searchParams } = url;
    const read = request.method === 'GET' ? pathname : '';
    const [, operation] = (request.method === 'POST' && /^\/_local\/schedules\/([\w-]+)$/.exec(pathname)) || [];
    if (read === '/_local/pushes' && pushLog) await sendPushes(response, pushLog, searchParams);
    else if (read === '/_local/access') answerAccess(response, data, model(), issuer);
    else if (read === '/_local/bus-events') sendBusEvents(response, events(), searchParams);
    else if (operation) await answerSchedule(request, response, operation, { run: runSchedule, bound: host });
    else if (read === '/_local/token') {
      const { status, text } = await answerToken(searchParams, issuer, users);
      sendText(response, status, text);
    } else if (!(ses && read && answerMails(response, url, ses))) {
      const known =
        'There are GET /_local/token?user=U&roles=R&application=A, GET /_local/pushes?userId=U, GET /_local/mails?to=ADDRESS, GET /_local/bus-events?detailType=T, POST /_local/schedules/OPERATION and GET /_local/access.';
      sendText(response, 404, known);
    }
    return true;
  };
}
