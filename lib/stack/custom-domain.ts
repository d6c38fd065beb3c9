import { CfnBasePathMapping, CfnDomainName } from 'aws-cdk-lib/aws-apigateway';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Stack } from 'aws-cdk-lib/core';
import type { CustomDomain } from '../contract/settings.ts';
import { transport } from './gateway-body.ts';

/** A custom domain for all APIs. It is in the State stack, as no API owns it. The plain addresses still work. */
export function addCustomDomain(stack: Stack, { name, certificateArn, hostedZoneId }: CustomDomain): CfnDomainName {
  const domain = new CfnDomainName(stack, 'Domain', {
    domainName: name,
    regionalCertificateArn: certificateArn,
    endpointConfiguration: { types: ['REGIONAL'] },
    ...transport,
  });
  if (hostedZoneId === null) return domain;
  for (const type of ['A', 'AAAA']) {
    new CfnRecordSet(stack, `Domain${type}`, {
      name,
      type,
      hostedZoneId,
      aliasTarget: { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId },
    });
  }
  return domain;
}

export type MappedStage = { readonly apiId: string; readonly stage: string; readonly basePath: string };

/** @param mapped `basePath` is the stage's name, so the path below the domain equals the path below the API's address */
export function mapToDomain(stack: Stack, { name }: CustomDomain, mapped: MappedStage): void {
  new CfnBasePathMapping(stack, 'DomainMapping', {
    domainName: name,
    basePath: mapped.basePath,
    restApiId: mapped.apiId,
    stage: mapped.stage,
  });
}
