/** What the shop's owner may set without touching the code. */
export const site = {
  /** The address of the shop, for canonical addresses, the sitemap and link previews. */
  origin: 'https://freshfruits.example',
  grievanceOfficer: {
    name: 'Anjali Deshmukh',
    designation: 'Grievance Officer',
    hours: 'Monday to Friday 10:00-17:00',
  },
  /** Shown with the seller's name on every page, unless ''. A food shop in India must show its FSSAI number. */
  licences: { FSSAI: '', GSTIN: '' },
  supportHours: 'Monday to Saturday, 10AM - 6PM',
  /** Named in the advice on the registration page (resolutions 21c). */
  emailProviders: ['gmail.com', 'outlook.com'],
} as const;
