import { securityHeaders } from '../contract/security-headers.ts';
import type { gatewayBody } from './gateway-body.ts';

type Body = ReturnType<typeof gatewayBody>;
type Answers = Body['x-amazon-apigateway-gateway-responses'];

/** A stage's API as the probe sends it to AWS: each form once, since the template is sent whole. */
export function probeBody(body: Body, refusedBy: string): Body {
  const answers = withoutRepeatedHeaders(body['x-amazon-apigateway-gateway-responses']);
  for (const refused of ['THROTTLED', 'QUOTA_EXCEEDED'])
    Object.assign(answers[refused]?.responseParameters ?? {}, { [`gatewayresponse.header.${refusedBy}`]: "'gateway'" });
  return { ...body, paths: withoutRepeatedSteps(body.paths), 'x-amazon-apigateway-gateway-responses': answers };
}

/** The first answer keeps the headers for browsers, which all have. */
function withoutRepeatedHeaders(answers: Answers): Answers {
  const repeated = new Set(Object.keys(securityHeaders).map((name) => `gatewayresponse.header.${name}`));
  const others = ([name]: readonly [string, string]) => !repeated.has(name);
  return Object.fromEntries(
    Object.entries(answers).map(([type, { responseParameters, ...answer }], index) => {
      const all = Object.entries(responseParameters);
      return [type, { ...answer, responseParameters: Object.fromEntries(index === 0 ? all : all.filter(others)) }];
    }),
  );
}

/** Keeps one of the paths that only lead to others: all of them answer 404. Of the others, the first of each form keeps its preflight. */
function withoutRepeatedSteps<T extends object>(paths: Readonly<Record<string, T>>): Record<string, T> {
  const isStep = (methods: T) => Object.keys(methods).length === 2;
  const names = Object.keys(paths);
  const steps = names.filter((path) => paths[path] && isStep(paths[path]) && path !== '/{proxy+}');
  const firstOf = (all: readonly string[]) => [
    all.find((path) => path.includes('{')),
    all.find((path) => !path.includes('{')),
  ];
  const kept = firstOf(steps);
  const asked = firstOf(names.filter((path) => !steps.includes(path)));
  const withoutPreflight = (methods: T) =>
    Object.fromEntries(Object.entries(methods).filter(([method]) => method !== 'options')) as T;
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) => {
      if (steps.includes(path)) return kept.includes(path) ? [[path, methods]] : [];
      return [[path, asked.includes(path) ? methods : withoutPreflight(methods)]];
    }),
  );
}
