import { useId } from 'preact/hooks';
import { ActionButton } from '../buttons.js';
import type { SettingView } from '../settingViews.js';
import { Section } from '../widgets.js';
import { useWorld } from '../world.js';
import { SettingInput } from './settingInput.js';

/** All settings of the world by group, each with its input. */
export function Settings({ settings }: { settings: readonly SettingView[] }) {
  const groups = [...new Set(settings.map(({ group }) => group))];
  return (
    <Section id="settings" title="Settings">
      <div class="groups">
        {groups.map((group) => (
          <Group key={group} title={group} settings={settings.filter((setting) => setting.group === group)} />
        ))}
      </div>
    </Section>
  );
}

function Group({ title, settings }: { title: string; settings: readonly SettingView[] }) {
  const heading = useId();
  return (
    <article aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      {settings.map((setting) => (
        <Setting key={setting.name} setting={setting} />
      ))}
    </article>
  );
}

function Setting({ setting }: { setting: SettingView }) {
  const { runControl } = useWorld();
  const { name, meaning, value, defaultValue } = setting;
  const id = useId();
  const change = (next: unknown) => runControl(`${name} changed`, 'PATCH', '/settings', { [name]: next });
  const changed = JSON.stringify(value) !== JSON.stringify(defaultValue);
  return (
    <div class={`setting ${changed ? 'changed' : ''}`}>
      <div>
        <strong id={`${id}-name`}>{name}</strong>
        <small id={`${id}-meaning`}>
          <Code text={meaning} />
        </small>
        {changed && (
          <ActionButton label={`Reset ${name} to its default`} run={() => change(defaultValue)}>
            Default
          </ActionButton>
        )}
      </div>
      <SettingInput setting={setting} change={change} name={`${id}-name`} about={`${id}-meaning`} />
    </div>
  );
}

/** Text with code in backticks. */
function Code({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>;
}
