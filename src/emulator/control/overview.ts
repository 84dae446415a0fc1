import { z } from 'zod';
import type { Overview } from '../page/overview';
import { transactionView, walletView } from '../views/chain';
import { newest } from '../views/newest';
import { challengeView, deviceViews, endedChallengeViews, mailView, userView } from '../views/people';
import { rampSessionViews } from '../views/ramp';
import { settingViews } from '../views/settings';
import { travelRuleView } from '../views/travelRule';
import type { World } from '../world';
import { worldId, type Worlds } from '../worlds';
import { control, type ControlTable } from './control';

export const overviewControls: ControlTable = {
  'GET /overview': control({
    summary: 'What the page shows of the world, in one answer; the ramp session `rampSession` however old it is',
    query: z.strictObject({ rampSession: z.string().optional() }),
    run: (world, { query }, { worlds }) => overviewOf(world, query.rampSession, worlds),
  }),
};

function overviewOf(world: World, rampSession: string | undefined, worlds: Worlds): Overview {
  const { store, clock, faults, settings } = world;
  const { people, compliance } = store;
  const pending = people.challenges.all().filter(({ status }) => status === 'PENDING');
  return {
    worlds: worldViews(worlds),
    clock: { now: clock.now().toISOString(), speed: clock.speed },
    challenges: newest(pending, (row) => challengeView(world, row)),
    endedChallenges: endedChallengeViews(world),
    users: newest(people.users.all(), (row) => userView(world, row)),
    mails: newest(people.mails, (mail) => mailView(world, mail)),
    devices: deviceViews(world),
    travelRule: newest(compliance.messages.all(), travelRuleView),
    vasps: compliance.vasps.all().map(({ id, name, jurisdiction }) => ({ id, name, jurisdiction })),
    rampSessions: rampSessionViews(world, rampSession),
    wallets: newest(store.wallets.all(), (row) => walletView(world, row)),
    transactions: newest(store.transactions.all(), (row) => transactionView(world, row)),
    faults: faults.list().map(({ id, struck, operation, action }) => ({ id, struck, operation, action })),
    settings: settingViews(settings),
  };
}

/** Worlds as they are listed, keys without their secrets; only the one that has a ramp session, if that is named. */
export function worldViews(worlds: Worlds, rampSession?: string) {
  return worlds
    .all()
    .filter(({ store }) => rampSession === undefined || store.ramp.sessions.get(rampSession) !== undefined)
    .map(({ apiKey, kind }) => ({ id: worldId(apiKey), kind, name: apiKey.split(':').slice(0, 2).join(':') }));
}
