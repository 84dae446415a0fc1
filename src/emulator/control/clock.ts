import { z } from 'zod';
import { timestamp } from '../../api/contract/schema';
import { invalidField } from '../errors/invalidField';
import { MAX_WORLD_TIME, speed, worldMs } from '../kit/duration';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

const stateOf = ({ clock }: World) => ({ now: clock.now().toISOString(), speed: clock.speed });

export const clockControls: ControlTable = {
  'GET /clock': control({ summary: "Returns the world's time and speed", run: stateOf }),
  'GET /clock/next': control({
    summary: 'Returns when the next event is due; null if none is due by `until`',
    query: z.strictObject({ until: timestamp.optional() }),
    run: ({ clock }, { query: { until } }) => {
      const due = clock.nextDue(until === undefined ? MAX_WORLD_TIME : new Date(until));
      return { due: due?.toISOString() ?? null };
    },
  }),
  'POST /clock/speed': control({
    summary: 'Sets how fast world time runs compared to real time; 0 stops it',
    body: z.strictObject({ speed }),
    run: (world, { body }) => {
      world.clock.setSpeed(body.speed);
      return stateOf(world);
    },
  }),
  'POST /clock/advance': control({
    summary: 'Moves world time by `durationMs` or to `to`, runs the due events in order, and waits for their webhooks',
    recorded: false,
    body: z.union([z.strictObject({ durationMs: worldMs }), z.strictObject({ to: timestamp })]),
    run: async (world, { body }) => {
      const { clock } = world;
      const to = 'to' in body ? new Date(body.to) : new Date(clock.now().getTime() + body.durationMs);
      if (to > MAX_WORLD_TIME) {
        const field = 'to' in body ? 'to' : 'durationMs';
        throw invalidField(field, `world time cannot pass ${MAX_WORLD_TIME.toISOString()}`, 'max_value');
      }
      const events = await clock.advanceTo(to);
      return { ...stateOf(world), events };
    },
  }),
};
