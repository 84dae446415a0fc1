import { useId } from 'preact/hooks';
import type { Field } from './field.js';

export function FieldInput({ field }: { field: Field }) {
  const { name, label, value = '', inputMode, options, required = true, hint } = field;
  const id = useId();
  const attributes = { id, name, required, 'aria-describedby': hint && `${id}-hint` };
  return (
    <>
      <label for={id}>{label}</label>
      {options ? (
        <select {...attributes}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          type="text"
          defaultValue={value}
          inputMode={inputMode}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </>
  );
}
