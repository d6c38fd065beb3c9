import { route } from '../../../lib/contract/route.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listThings } from './example.ts';

const ofSites = route({ ...listThings, cursor: ['siteId', 'name'] });

export const handler = serve(ofSites)(async ({ page }) => ({
  // @ts-expect-error TS2339: Property 'userId' does not exist on type
  items: [{ name: page.after?.userId ?? '' }],
  next: null,
}));
