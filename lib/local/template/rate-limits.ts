import * as z from 'zod/mini';
import type { RateLimitModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { TemplateError } from './intrinsics.ts';
import { attributeOf } from './physical.ts';
import { Numeric, ofType, read } from './resources.ts';

const Header = z.object({ Name: z.string(), Value: z.string() });

const WebAcl = z.object({
  Scope: z.string(),
  CustomResponseBodies: z._default(
    z.record(z.string(), z.object({ ContentType: z.string(), Content: z.string() })),
    {},
  ),
  Rules: z._default(
    z.array(
      z.object({
        Name: z.string(),
        Action: z.optional(
          z.object({
            Block: z.optional(
              z.object({
                CustomResponse: z.optional(
                  z.object({
                    ResponseCode: Numeric,
                    CustomResponseBodyKey: z.optional(z.string()),
                    ResponseHeaders: z._default(z.array(Header), []),
                  }),
                ),
              }),
            ),
          }),
        ),
        Statement: z.object({
          RateBasedStatement: z.optional(
            z.object({
              Limit: Numeric,
              AggregateKeyType: z.string(),
              // WAF's default is five minutes.
              EvaluationWindowSec: z._default(Numeric, 300),
              ScopeDownStatement: z.optional(z.unknown()),
            }),
          ),
        }),
      }),
    ),
    [],
  ),
});
const Association = z.object({ ResourceArn: z.string(), WebACLArn: z.string() });

const contentTypes: Record<string, string> = {
  APPLICATION_JSON: 'application/json',
  TEXT_PLAIN: 'text/plain',
  TEXT_HTML: 'text/html',
};

/** The blocking rate-based rules by IP. Other rules, such as managed groups, inspect requests and do not run here. */
export function rateLimitsOf(deployment: Deployment): RateLimitModel[] {
  const associations = ofType(deployment, 'AWS::WAFv2::WebACLAssociation').map((each) => read(each, Association));
  return ofType(deployment, 'AWS::WAFv2::WebACL').flatMap((resource) => {
    const acl = read(resource, WebAcl);
    const arn = attributeOf(resource, 'Arn');
    const apiIds = associations
      .filter(({ WebACLArn }) => WebACLArn === arn)
      .map(({ ResourceArn }) => /:apigateway:[^:]*::\/restapis\/([^/]+)\/stages\//.exec(ResourceArn)?.[1] ?? '')
      .filter((id) => id !== '');
    return acl.Rules.flatMap(({ Name, Action, Statement }) => {
      const rule = Statement.RateBasedStatement;
      if (!rule) return [];
      const block = Action?.Block?.CustomResponse;
      if (!block || rule.AggregateKeyType !== 'IP' || rule.ScopeDownStatement) {
        throw new TemplateError(
          `${resource.path}: the rule ${Name} must block by IP, all requests, with a custom response to run here`,
        );
      }
      const custom = acl.CustomResponseBodies[block.CustomResponseBodyKey ?? ''];
      const headers = block.ResponseHeaders.map(({ Name, Value }): [string, string] => [Name, Value]);
      if (custom) headers.push(['Content-Type', contentTypes[custom.ContentType] ?? 'application/octet-stream']);
      return {
        limit: rule.Limit,
        windowSeconds: rule.EvaluationWindowSec,
        apiIds,
        block: { status: block.ResponseCode, headers: Object.fromEntries(headers), body: custom?.Content ?? '' },
      };
    });
  });
}
