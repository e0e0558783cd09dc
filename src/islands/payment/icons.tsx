import { Icon, type IconProps } from '#islands/ui/icons.tsx';

export const CopyIcon = (props: IconProps) => (
  <Icon
    {...props}
    path="M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"
  />
);
export const SmartphoneIcon = (props: IconProps) => (
  <Icon {...props} path="M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2M12 18h.01" />
);
