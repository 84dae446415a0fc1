/** A backend's code about pages of flows. See outcome.ts. */

import type { FlowPage, Flows } from 'walletflow';

/** A page's token may be absent, and goes into the next request as it is. */
export function nextPage(flows: Flows, { nextPageToken }: FlowPage, since: Date | undefined): Promise<FlowPage> {
  return flows.listPage({ status: 'failed', since, limit: undefined, pageToken: nextPageToken });
}
