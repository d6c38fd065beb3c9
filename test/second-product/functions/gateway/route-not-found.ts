export { routeNotFound as handler } from '../../../../lib/runtime/route-not-found.ts';
