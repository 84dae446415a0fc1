/** An input field of a dialog. */
export interface Field {
  name: string;
  label: string;
  value?: string;
  inputMode?: 'numeric' | 'decimal' | 'text';
  options?: readonly { value: string; label: string }[];
  required?: boolean;
  hint?: string;
}
