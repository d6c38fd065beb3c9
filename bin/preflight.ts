import { parseArgs } from 'node:util';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { synthesize } from '../lib/local/index.ts';
import { demandOf } from './assembly-demand.ts';
import { type Account, preflight } from './preflight-checks.ts';

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
  for (const { subject, found, toDo } of await preflight(environment, accountOfTheShell(), demandOf(directory))) {
    console.log(`${toDo === null ? 'ok   ' : 'WRONG'}  ${subject}: ${found}${toDo === null ? '' : `\n       ${toDo}`}`);
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
    async cognitoRates() {
      // `Rate of UserAuthentication requests`
      const found = [...(await quotasOf('cognito-idp'))].map(
        ([name, value]) => [/^Rate of (\w+) requests$/.exec(name)?.[1] ?? '', value] as const,
      );
      return new Map(found.filter(([category]) => category !== ''));
    },
    async gatewayResources() {
      return (await quotasOf('apigateway')).get('Resources per API') ?? null;
    },
    async roles() {
      // IAM is everywhere, and its quotas are told there.
      return (await quotasOf('iam', 'us-east-1')).get('Roles per account') ?? null;
    },
    async codeStorage() {
      const { AccountLimit, AccountUsage } = await new LambdaClient(limits).send(new GetAccountSettingsCommand({}));
      return { total: AccountLimit?.TotalCodeSize ?? 0, used: AccountUsage?.TotalCodeSize ?? 0 };
    },
  };
}

/** A service's quotas of the account, by the names that Service Quotas has for them. */
async function quotasOf(service: string, region?: string): Promise<ReadonlyMap<string, number>> {
  const client = new ServiceQuotasClient({ ...limits, ...(region && { region }) });
  const quotas = new Map<string, number>();
  for await (const { Quotas = [] } of paginateListServiceQuotas({ client }, { ServiceCode: service })) {
    for (const { QuotaName, Value } of Quotas) {
      if (QuotaName !== undefined && Value !== undefined) quotas.set(QuotaName, Value);
    }
  }
  return quotas;
}
