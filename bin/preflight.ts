import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSummaryCommand, IAMClient, paginateListRoles } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, type ServiceQuota, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import {
  GetEmailIdentityCommand,
  GetAccountCommand as GetMailAccountCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import type { Definition } from '../functions/questionnaires/rules.ts';
import { seededDefinition } from '../functions/questionnaires/seed/seed.ts';
import { readVersion } from '../functions/questionnaires/stores/version-rows.ts';
import type { Questionnaires } from '../functions/questionnaires/tables.ts';
import type { Environment } from '../lib/contract/register.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { handleOf } from '../lib/runtime/table-handle.ts';
import { probePaths } from '../lib/stack/probe-paths.ts';
import { probeStacks, probeTemplates } from '../lib/stack/probe-stacks.ts';
import { demandOf } from './assembly-demand.ts';
import { type Account, checkAccount, checkDemand, type Finding, isOfStage, type Quota } from './preflight-checks.ts';
import { cleanUp, runProbe } from './probe.ts';
import { probeAccountOfTheShell } from './probe-account.ts';
import * as productModule from './product.ts';
import { NoOutput, stateOutput } from './stack-outputs.ts';
import { synthesize } from './stage.ts';

type Options = {
  readonly stage: Environment;
  readonly probe: boolean;
  readonly cleanUp: boolean;
  readonly pollMs: number;
};

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000 } };

export async function run({
  stage: environment,
  probe: probes,
  cleanUp: onlyCleansUp,
  pollMs,
}: Options): Promise<void> {
  if (onlyCleansUp && !probes) throw new Error('--clean-up deletes what a probe has left: --probe --clean-up');
  if (onlyCleansUp) {
    const account = probeAccountOfTheShell(probePaths(productModule, environment), pollMs);
    if (!(await cleanUp(account, probeStacks(environment), (line) => console.log(line)))) process.exitCode = 1;
  } else {
    await check(environment);
    if (probes && !(await probe(environment, pollMs))) process.exitCode = 1;
  }
}

async function check(environment: Environment): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const account = accountOfTheShell();
  print(await checkAccount(environment, account, today));
  const { directory } = await synthesize(environment, { asDeployed: true });
  print(await checkDemand(environment, account, demandOf(directory)));
}

function print(findings: readonly Finding[]): void {
  for (const { subject, found, toDo } of findings) {
    console.log(
      [`${toDo !== null ? 'WRONG' : 'ok   '}  ${subject}: ${found}`, ...(toDo === null ? [] : [toDo])].join(
        '\n       ',
      ),
    );
    if (toDo !== null) process.exitCode = 1;
  }
}

/** Ctrl-C ends the probe after the present step, and deletes what was made. A second Ctrl-C ends it at once. */
function probe(environment: Environment, pollMs: number): Promise<boolean> {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      console.log(`${name}: deleting what was made; interrupt again to leave it`);
      ended.abort();
    });
  }
  const account = probeAccountOfTheShell(probePaths(productModule, environment), pollMs);
  const log = (line: string) => console.log(line);
  return runProbe(account, probeStacks(environment), probeTemplates(productModule, environment), log, ended.signal);
}

function accountOfTheShell(): Account {
  return {
    async bootstrapVersion() {
      const { Parameter } = await new SSMClient(limits)
        .send(new GetParameterCommand({ Name: '/cdk-bootstrap/hnb659fds/version' }))
        .catch((error: unknown) => {
          if (error instanceof ParameterNotFound) return { Parameter: undefined };
          throw error;
        });
      return Parameter?.Value === undefined ? null : Number(Parameter.Value);
    },
    async concurrency() {
      const { AccountLimit } = await new LambdaClient(limits).send(new GetAccountSettingsCommand({}));
      const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
      return { total, unreserved };
    },
    async gateway() {
      const { throttleSettings, cloudwatchRoleArn } = await new APIGatewayClient(limits).send(
        new GetAccountCommand({}),
      );
      const { rateLimit: rate = 0, burstLimit: burst = 0 } = throttleSettings ?? {};
      return { rate, burst, logRole: cloudwatchRoleArn ?? null };
    },
    quotas,
    async roles(stage) {
      const client = new IAMClient(limits);
      const { SummaryMap } = await client.send(new GetAccountSummaryCommand({}));
      const { Roles: used, RolesQuota: total } = SummaryMap ?? {};
      if (used === undefined || total === undefined) throw new Error('the account summary has no roles');
      let ofStage = 0;
      for await (const { Roles = [] } of paginateListRoles({ client, pageSize: 1000 }, {})) {
        ofStage += Roles.filter(({ RoleName = '' }) => isOfStage(RoleName, stage)).length;
      }
      return { used, ofStage, total };
    },
    async mail(EmailIdentity) {
      const client = new SESv2Client(limits);
      const { ProductionAccessEnabled, SendingEnabled } = await client.send(new GetMailAccountCommand({}));
      const found = await client.send(new GetEmailIdentityCommand({ EmailIdentity })).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NotFoundException') return null;
        throw error;
      });
      return {
        isInSandbox: ProductionAccessEnabled !== true,
        isSending: SendingEnabled === true,
        isVerified: found && found.VerifiedForSendingStatus === true,
      };
    },
    async codeStorage() {
      const { AccountLimit, AccountUsage } = await new LambdaClient(limits).send(new GetAccountSettingsCommand({}));
      return { total: AccountLimit?.TotalCodeSize ?? 0, used: AccountUsage?.TotalCodeSize ?? 0 };
    },
    async isProtected(stage) {
      const found = await ifDeployed(stateOutput(stage, 'IsProtected'));
      return found === null ? null : found === 'true';
    },
    definitions: currentDefinitions,
  };
}

async function quotas({ service, region }: Quota): Promise<ServiceQuota[]> {
  const client = new ServiceQuotasClient({ ...limits, ...(region && { region }) });
  const all: ServiceQuota[] = [];
  for await (const { Quotas = [] } of paginateListServiceQuotas({ client }, { ServiceCode: service }))
    all.push(...Quotas);
  return all;
}

function ifDeployed(output: Promise<string>): Promise<string | null> {
  return output.catch((error: unknown) => {
    if (error instanceof NoOutput || (error instanceof Error && error.name === 'ValidationError')) return null;
    throw error;
  });
}

/** Before the first deployment, the seeds are what an operator would publish. */
async function currentDefinitions(environment: Environment, ids: readonly string[]) {
  const name = await ifDeployed(stateOutput(environment, 'QuestionnairesTableName'));
  const table = name === null ? null : handleOf<typeof Questionnaires>(documentsOf(new DynamoDBClient(limits)), name);
  const found = await Promise.all(
    ids.map(async (id): Promise<[string, Definition] | null> => {
      const definition = table === null ? await seededDefinition(id) : await readVersion(table, id);
      return definition && [id, definition];
    }),
  );
  return new Map(found.filter((each) => each !== null));
}
