import { z } from 'zod';
import { timestamp } from '../../api/contract/schema';
import { LATEST, speed, worldMs } from '../duration';
import { fieldRefusal } from '../fieldRefusal';
import type { World } from '../world';
import { control, type ControlTable } from './control';

const stateOf = ({ clock }: World) => ({ now: clock.now().toISOString(), speed: clock.speed });

export const clockControls: ControlTable = {
  'GET /clock': control({ summary: "The world's time and speed", run: stateOf }),
  'GET /clock/next': control({
    summary: 'When the next event is due, if not later than `until`; else null',
    query: z.strictObject({ until: timestamp.optional() }),
    run: ({ clock }, { query: { until } }) => {
      const due = clock.nextDue(until === undefined ? LATEST : new Date(until));
      return { due: due?.toISOString() ?? null };
    },
  }),
  'POST /clock/speed': control({
    summary: 'Sets how fast the world goes against real time; 0 stops it',
    body: z.strictObject({ speed }),
    run: (world, { body }) => {
      world.clock.setSpeed(body.speed);
      return stateOf(world);
    },
  }),
  'POST /clock/advance': control({
    summary: 'Moves the world on, by `durationMs` or to a time, and answers when it is quiet',
    recorded: false,
    body: z.union([z.strictObject({ durationMs: worldMs }), z.strictObject({ to: timestamp })]),
    run: async (world, { body }) => {
      const { clock } = world;
      const to = 'to' in body ? new Date(body.to) : new Date(clock.now().getTime() + body.durationMs);
      if (to > LATEST) {
        const field = 'to' in body ? 'to' : 'durationMs';
        throw fieldRefusal(field, `the world ends at ${LATEST.toISOString()}`, 'max_value');
      }
      const events = await clock.advanceTo(to);
      return { ...stateOf(world), events };
    },
  }),
};
