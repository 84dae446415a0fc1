import { z } from 'zod';
import type { Overview } from '../page/overview';
import { transactionView, walletView } from '../views/chain';
import { newest } from '../views/newest';
import { rampSessionViews } from '../views/ramp';
import { settingViews } from '../views/settings';
import { travelRuleView } from '../views/travelRule';
import { challengeView, deviceViews, endedChallengeViews, mailView, userView } from '../views/users';
import type { World } from '../world/world';
import { worldId, type WorldRegistry } from '../world/worldRegistry';
import { control, type ControlTable } from './control';

export const overviewControls: ControlTable = {
  'GET /overview': control({
    summary: 'Returns everything that the page shows; includes the ramp session `rampSession` however old it is',
    query: z.strictObject({ rampSession: z.string().optional() }),
    run: (world, { query }, { worlds }) => overviewOf(world, query.rampSession, worlds),
  }),
};

function overviewOf(world: World, rampSession: string | undefined, worlds: WorldRegistry): Overview {
  const { store, users, travelRule, clock, faults, settings } = world;
  const pending = users.challenges.all().filter(({ status }) => status === 'PENDING');
  return {
    worlds: worldViews(worlds),
    clock: { now: clock.now().toISOString(), speed: clock.speed },
    challenges: newest(pending, (row) => challengeView(world, row)),
    endedChallenges: endedChallengeViews(world),
    users: newest(users.users.all(), (row) => userView(world, row)),
    mails: newest(users.mails, (mail) => mailView(world, mail)),
    devices: deviceViews(world),
    travelRule: newest(travelRule.messages.all(), travelRuleView),
    vasps: travelRule.vasps.all().map(({ id, name, jurisdiction }) => ({ id, name, jurisdiction })),
    rampSessions: rampSessionViews(world, rampSession),
    wallets: newest(store.wallets.all(), (row) => walletView(world, row)),
    transactions: newest(store.transactions.all(), (row) => transactionView(world, row)),
    faults: faults.list().map(({ id, struck, operation, action }) => ({ id, struck, operation, action })),
    settings: settingViews(settings),
  };
}

/** The worlds, named by their API keys without the secrets; with `rampSession` only the world that has this session. */
export function worldViews(worlds: WorldRegistry, rampSession?: string) {
  return worlds
    .all()
    .filter(({ ramp }) => rampSession === undefined || ramp.sessions.get(rampSession) !== undefined)
    .map(({ apiKey, kind }) => ({ id: worldId(apiKey), kind, name: apiKey.split(':').slice(0, 2).join(':') }));
}
