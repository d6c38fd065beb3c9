/**
 * The paths of an API: those of the routes, and each path on the way to them. API Gateway has a resource for each, and
 * allows 300. A path without a method gets API Gateway's own answer.
 *
 * @returns `/` first, then `/{proxy+}` for all unknown paths
 * @throws an Error where two siblings are different parameters: API Gateway allows one for each parent
 */
export function allPaths(routed: readonly string[]): string[] {
  const found = new Set(['/', '/{proxy+}']);
  const ofParent = new Map<string, string>();
  for (const path of routed) {
    const segments = path.split('/').slice(1);
    for (let depth = 1; depth <= segments.length; depth++) {
      const here = `/${segments.slice(0, depth).join('/')}`;
      const parent = `/${segments.slice(0, depth - 1).join('/')}`;
      if (/\{\w+\}$/.test(here)) {
        const rival = ofParent.get(parent) ?? here;
        if (rival !== here)
          throw new Error(`${here} and ${rival}: one parameter only below ${parent}; name both alike`);
        ofParent.set(parent, here);
      }
      found.add(here);
    }
  }
  return [...found];
}
