const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** First names of seeded members. */
export const firstNames = words(`
  Aaron Abbey Adam Aisha Alana Alistair Amara Amelia Angus Anita Anthony Arjun Ashleigh Ayesha Ben Bianca
  Blake Brendan Bronwyn Caitlin Callum Cameron Carla Chloe Craig Dale Damien Daniel Darcy Deepa Dimitri Dylan
  Elena Eliza Emily Erin Farid Felicity Finn Fraser Gareth Gemma Georgia Grace Hamish Hannah Harpreet Hassan
  Heidi Hugh Hung Imogen Indira Isabel Ivan Jack Jade James Jarrod Jin Joanna Joel Joshua Kaitlyn Karen Kate
  Kirra Kylie Lachlan Lara Leanne Liam Linh Lisa Lucas Luke Mai Marco Maria Matilda Mehmet Mei Michael Mitchell
  Mohammed Nadia Natalie Nathan Nicola Nikhil Noah Olivia Omar Patrick Paul Peta Petra Priya Quentin Rachel Raj
  Rebecca Rhys Rosa Ruby Ryan Samira Samuel Sandra Sean Shane Shannon Simone Sione Sofia Stavros Steph Sunil
  Tahlia Tamara Tane Tariq Thi Thomas Tiffany Toby Trent Tuan Tyson Uma Vanessa Vikram Warwick Wei Xavier
  Yasmin Yusuf Zac Zara Zoe`)

/** Family names of seeded members. */
export const lastNames = words(`
  Abbott Adeyemi Ahmed Anderson Andreou Ashby Baker Banerjee Barker Bennett Bishop Blackwood Bradley Brennan
  Brooks Burgess Burns Campbell Caruso Chan Chapman Chen Clarke Collins Cooper Costa Crawford Cunningham Dang
  Davies Dawson Desai Dimitriou Do Donnelly Douglas Dunn Edwards Ellis Evans Farrell Ferguson Ferrari Fisher
  Fitzgerald Fletcher Fonoti Foster Fraser Gallagher Ghosh Gibson Gill Graham Grant Greco Griffiths Gupta
  Hall Hamilton Harrison Hart Hayes Henderson Hoang Holmes Hughes Hunter Hussain Ibrahim Ioannou Jackson
  Jenkins Johnston Jones Joshi Kapoor Kaur Keane Kelly Kennedy Khan Kim Knight Kumar Lam Lawson Lee Lim
  Lombardi Mackenzie Malik Marino Marshall Martin Mason Mehta Mills Mitchell Moore Morgan Morris Murphy Murray
  Nguyen Nichols Novak Papadopoulos Park Parker Patel Pearce Pham Phillips Pillai Porter Quinn Rahman Reid
  Ricci Roberts Robertson Rossi Russo Ryan Santos Sharma Shaw Singh Smith Stewart Sullivan Sutherland Tan
  Taylor Thompson Tran Turner Vella Vu Walker Wallace Walsh Watson Webster Wells White Williams Wilson Wong
  Wright Yilmaz Young Zhang`)
