import type { OwnWrites } from '../own-writes.ts';

type Prepare = OwnWrites[string];
type Call = Parameters<Prepare>[0]['call'];

/** There is a site, and the person may already be with it. */
function withSite(
  send: (call: Call, site: { siteId: string; code: string }) => ReturnType<Call>,
  isThere = false,
): Prepare {
  return async ({ call }, admin) => {
    const { body } = await admin('POST', '/crm/sites', { name: 'Own writes', timezone: 'Europe/Berlin' });
    const site = { siteId: String(body.siteId), code: String(body.code) };
    if (isThere) await call('POST', '/users/me/sites', { code: site.code });
    return () => send(call, site);
  };
}

export const ownWrites: OwnWrites = {
  joinSite: withSite((call, { siteId, code }) => call('PUT', `/users/me/sites/${siteId}`, { code })),
  joinSiteByCode: withSite((call, { code }) => call('POST', '/users/me/sites', { code })),
  chooseMainSite: withSite((call, { siteId }) => call('PATCH', `/users/me/sites/${siteId}`, { main: true }), true),
  leaveSite: withSite((call, { siteId }) => call('DELETE', `/users/me/sites/${siteId}`), true),
};
