import { parseArgs } from 'node:util';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, type ServiceQuota, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { synthesize } from '../lib/local/index.ts';
import { demandOf } from './assembly-demand.ts';
import { type Account, preflight, type Quota } from './preflight-checks.ts';

/**
 * `npm run preflight -- --stage prod`: whether the account and region of the shell's AWS credentials have what the stage
 * needs before its first deploy. It reads, and changes nothing. Exit codes: 0 all is there, 1 something is not.
 */

const usage = 'npm run preflight -- --stage dev|staging|prod';
const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000 } };

try {
  const { values } = parseArgs({ options: { stage: { type: 'string' } } });
  if (!values.stage) throw new Error(usage);
  const environment = environmentNamed(values.stage);
  const { directory } = await synthesize(environment);
  for (const { subject, found, toDo, toCompare } of await preflight(
    environment,
    accountOfTheShell(),
    demandOf(directory),
  )) {
    const kind = toDo !== null ? 'WRONG' : toCompare !== undefined ? 'needs' : 'ok   ';
    console.log([`${kind}  ${subject}: ${found}`, ...[toDo ?? [], toCompare ?? []].flat()].join('\n       '));
    if (toDo !== null) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
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
    async codeStorage() {
      const { AccountLimit, AccountUsage } = await new LambdaClient(limits).send(new GetAccountSettingsCommand({}));
      return { total: AccountLimit?.TotalCodeSize ?? 0, used: AccountUsage?.TotalCodeSize ?? 0 };
    },
  };
}

async function quotas({ service, region }: Quota): Promise<ServiceQuota[]> {
  const client = new ServiceQuotasClient({ ...limits, ...(region && { region }) });
  const all: ServiceQuota[] = [];
  for await (const { Quotas = [] } of paginateListServiceQuotas({ client }, { ServiceCode: service }))
    all.push(...Quotas);
  return all;
}
