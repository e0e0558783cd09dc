import { Icon, type IconProps } from './icons.tsx';

export const CircleCheckIcon = (props: IconProps) => (
  <Icon {...props} path="M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0m-6-3-5.5 5.5L8 12" />
);
