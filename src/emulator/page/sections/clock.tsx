import { ActionButton } from '../buttons.js';
import type { Overview } from '../overview.js';
import { Time } from '../widgets.js';
import { useWorld } from '../world.js';

const MINUTE = 60_000;
const JUMPS = [
  { label: '+1 min', durationMs: MINUTE },
  { label: '+1 h', durationMs: 60 * MINUTE },
  { label: '+1 day', durationMs: 24 * 60 * MINUTE },
];
const SPEEDS = [0, 1, 10, 60, 3600];

export function Clock({ clock }: { clock: Overview['clock'] }) {
  const { runControl, showError } = useWorld();
  const speeds = SPEEDS.includes(clock.speed) ? SPEEDS : [...SPEEDS, clock.speed];
  return (
    <div class="clock" role="toolbar" aria-label="Clock of the world">
      <strong>
        <Time at={clock.now} />
      </strong>
      <select
        aria-label="Speed"
        value={String(clock.speed)}
        onChange={(event) =>
          void runControl('Speed changed', 'POST', '/clock/speed', { speed: Number(event.currentTarget.value) }).catch(
            showError,
          )
        }
      >
        {speeds.map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed === 0 ? 'paused' : `× ${speed}`}
          </option>
        ))}
      </select>
      {JUMPS.map(({ label, durationMs }) => (
        <ActionButton
          key={label}
          label={`Advance the clock by ${label.slice(1)}`}
          run={() => runControl(`Clock advanced by ${label.slice(1)}`, 'POST', '/clock/advance', { durationMs })}
        >
          {label}
        </ActionButton>
      ))}
    </div>
  );
}
